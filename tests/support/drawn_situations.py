"""Situations about what is drawn at all, and where."""

from situations import Situation, shadow

SEEN, UNSEEN = 'The text "Order placed" is visible', 'The text "Order placed" is not visible'
BOX = "position:relative;width:300px;height:40px"
SHEET = "position:absolute;inset:0;background:#fff"


def seen(name: str, body: str) -> Situation:
    """Return a page on which the text can be seen."""
    return Situation(name, body, (SEEN,), (UNSEEN,))


def unseen(name: str, body: str) -> Situation:
    """Return a page on which it cannot, though the document has it."""
    return Situation(name, body, (UNSEEN,), (SEEN,))


COVERED = [
    unseen(
        "under a sheet that lets clicks through",
        f"<div style='{BOX}'>Order placed<div style='{SHEET};pointer-events:none'></div></div>",
    ),
    unseen(
        "that lets clicks through, under a sheet",
        f"<div style='{BOX}'><p style='pointer-events:none'>Order placed</p><div style='{SHEET}'></div></div>",
    ),
    unseen(
        "under what a style draws over it",
        f"<style>.b::after{{content:'';{SHEET}}}</style><div class=b style='{BOX}'><p>Order placed</p></div>",
    ),
    unseen(
        "under what a style draws over it, which lets clicks through",
        f"<style>.b::after{{content:'';{SHEET};pointer-events:none}}</style><div class=b style='{BOX}'><p>Order placed</p></div>",
    ),
    unseen(
        "in white on a white message over a picture",
        "<svg width=400 height=90 style='position:absolute;left:0;top:0;background:#222'></svg><div style='position:fixed;left:0;"
        "top:0;width:300px;background:#fff'><p style='color:#fff'>Order placed</p></div>",
    ),
    seen(
        "in white on a dark sheet over a white card",
        "<div style='position:relative;background:#fff;width:300px;height:60px'><div style='position:absolute;inset:0;background:"
        "#222'></div><p style='position:relative;color:#fff'>Order placed</p></div>",
    ),
    seen(
        "in white on a button that a style colours",
        "<style>button{position:relative;background:none;border:0;color:#fff;isolation:isolate}button::before{content:'';position:"
        "absolute;inset:0;background:#26c;z-index:-1}</style><div style='background:#fff'><button>Order placed</button></div>",
    ),
    unseen(
        "under what its own style draws over it",
        f"<style>.b::before{{content:'';{SHEET}}}</style><p class=b style='{BOX}'>Order placed</p>",
    ),
    unseen(
        "behind the background of what it is in",
        "<div style='background:#eee;padding:20px'><p style='position:relative;z-index:-1'>Order placed</p></div>",
    ),
    unseen(
        "under a gradient of solid colours",
        f"<div style='{BOX}'>Order placed<div style='{SHEET};background:linear-gradient(#fff,#eee)'></div></div>",
    ),
    unseen(
        "behind the solid backdrop of a dialog",
        "<style>::backdrop{background:#222}</style><p style='margin:400px'>Order placed</p>"
        "<dialog id=d style='margin:0'>Wait</dialog><script>d.showModal()</script>",
    ),
    unseen(
        "under a popover",
        "<p style='position:absolute;left:0;top:0'>Order placed</p><div popover id=p style='margin:0;inset:0;width:500px;"
        "height:90px;background:#fff'>Wait</div><script>p.showPopover()</script>",
    ),
    unseen(
        "in a frame under a sheet",
        "<div style='position:relative;width:300px;height:90px'><iframe srcdoc='Order placed' style='width:100%;height:100%'>"
        f"</iframe><div style='{SHEET}'></div></div>",
    ),
    unseen(
        "in a frame of a frame that is hidden",
        "<iframe style='visibility:hidden' srcdoc='<iframe srcdoc=&quot;Order placed&quot;></iframe>'></iframe>",
    ),
    seen(
        "in a popover over a dialog",
        "<dialog id=d>Wait<div popover id=p>Order placed</div></dialog><script>d.showModal();p.showPopover()</script>",
    ),
    seen(
        "under a sheet of half a colour that lets clicks through",
        f"<div style='{BOX}'>Order placed<div style='{SHEET};background:rgb(0 0 0/.4);pointer-events:none'></div></div>",
    ),
    seen(
        "on a sheet that a style draws below it",
        f"<style>.b::before{{content:'';{SHEET};z-index:-1}}</style><div class=b style='{BOX};z-index:0'>Order placed</div>",
    ),
    seen(
        "behind a card, in front of its background",
        "<div style='background:#eee;padding:20px;isolation:isolate'><p style='position:relative;z-index:-1'>Order placed</p></div>",
    ),
    seen(
        "beside what a style draws over a corner",
        "<style>.b::after{content:'New';position:absolute;right:0;top:0;background:#fff}</style>"
        f"<div class=b style='{BOX}'>Order placed</div>",
    ),
    seen(
        "in a button with a ripple that lets clicks through",
        "<button style='position:relative'>Order placed<span style='position:absolute;inset:0;pointer-events:none;"
        "background:currentColor;opacity:.1'></span></button>",
    ),
    unseen(
        "below a bar that is fixed, where no scrolling brings it out",
        "<div style='position:fixed;top:0;left:0;right:0;height:60px;background:#fff'>Bar</div><p>Order placed</p>"
        "<div style='height:3000px'></div>",
    ),
    seen(
        "below a bar that is fixed, until one scrolls back",
        "<div style='position:fixed;top:0;left:0;right:0;height:60px;background:#fff'>Bar</div><p style='margin-top:90px'>Order "
        "placed</p><div style='height:3000px'></div><script>scrollTo(0, 80)</script>",
    ),
]

SHAPED = [
    unseen(
        "on the back of a card",
        "<div style='transform:rotateY(180deg);backface-visibility:hidden;width:200px'>Order placed</div>",
    ),
    unseen(
        "on the back of a card that is turned as a whole",
        "<div style='perspective:600px'><div style='transform-style:preserve-3d;transform:rotateY(0deg);width:200px;height:40px;"
        "position:relative'><div style='position:absolute;inset:0;backface-visibility:hidden'>Front</div><div style='position:"
        "absolute;inset:0;backface-visibility:hidden;transform:rotateY(180deg)'>Order placed</div></div></div>",
    ),
    seen(
        "on the back of a card that was turned over",
        "<div style='perspective:600px'><div style='transform-style:preserve-3d;transform:rotateY(180deg);width:200px;height:40px;"
        "position:relative'><div style='position:absolute;inset:0;backface-visibility:hidden'>Front</div><div style='position:"
        "absolute;inset:0;backface-visibility:hidden;transform:rotateY(180deg)'>Order placed</div></div></div>",
    ),
    unseen("seen edge on", "<p style='transform:rotateY(90deg)'>Order placed</p>"),
    unseen("moved away", "<p style='transform:translateX(-3000px)'>Order placed</p>"),
    unseen("scaled to next to nothing", "<p style='transform:scale(.01)'>Order placed</p>"),
    unseen("in letters of one pixel", "<p style='font-size:1px'>Order placed</p>"),
    unseen("blurred", "<p style='filter:blur(12px)'>Order placed</p>"),
    unseen(
        "under frosted glass",
        f"<div style='{BOX}'>Order placed<div style='{SHEET};background:rgb(255 255 255/.2);"
        "backdrop-filter:blur(20px)'></div></div>",
    ),
    unseen("written in dots", "<p style='-webkit-text-security:disc'>Order placed</p>"),
    unseen("clipped to a circle of no size", "<p style='clip-path:circle(0)'>Order placed</p>"),
    unseen("not drawn, as its content is not", "<div style='content-visibility:hidden'>Order placed</div>"),
    unseen(
        "in rows of no height",
        "<div style='display:grid;grid-template-rows:0fr'><div style='overflow:hidden;min-height:0'>"
        "Order placed</div></div>",
    ),
    unseen(
        "on the second picture of a carousel",
        "<div style='width:200px;overflow:hidden;white-space:nowrap'><div style='display:"
        "inline-block;width:200px'>One</div><div style='display:inline-block;width:200px'>Order placed</div></div>",
    ),
    unseen("that is collapsed", "<table><tr style='visibility:collapse'><td>Order placed<tr><td>Other</table>"),
    unseen("in what folds up", "<details><summary>More</summary><p>Order placed</p></details>"),
    unseen(
        "between a picture's definitions", "<svg width=99 height=30><defs><text y=20>Order placed</text></defs></svg>"
    ),
    unseen(
        "as what a picture is called",
        "<svg width=99 height=30><title>Order placed</title><rect width=9 height=9 /></svg>",
    ),
    unseen("as a tooltip", "<p title='Order placed'>Other</p>"),
    Situation("as what is read aloud", "<button aria-label='Order placed'>OK</button>", (), (SEEN, UNSEEN)),
    unseen("as a choice that is not taken", "<select><option>One<option>Order placed</select>"),
    unseen("without a slot", shadow("<p>Other</p>", "<x-a><p>Order placed</p></x-a>")),
    unseen("in place of which a slot shows another", shadow("<slot>Order placed</slot>", "<x-a>Other</x-a>")),
    unseen("in a popover that is closed", "<div popover>Order placed</div><p>Other</p>"),
    unseen("in a dialog that is closed", "<dialog>Order placed</dialog><p>Other</p>"),
    unseen("printed only", "<style>@media screen{p{display:none}}</style><p>Order placed</p><b>Other</b>"),
    unseen("in a comment and a template", "<!-- Order placed --><template>Order placed</template><p>Other</p>"),
    seen(
        "drawn once it comes into view",
        "<div style='height:5000px'></div><div style='content-visibility:auto;"
        "contain-intrinsic-size:200px'>Order placed</div>",
    ),
    seen("in a page that is zoomed", "<div style='zoom:2'><p>Order placed</p></div>"),
    seen(
        "visible in what is invisible",
        "<div style='visibility:hidden'>Other<p style='visibility:visible'>Order placed</p></div>",
    ),
    seen("with a soft hyphen", "<p>Order pla&shy;ced</p>"),
    seen("with a space of no width", "<p>Order&nbsp;pl&#8203;aced</p>"),
    seen("in three pieces", "<p><span>Ord</span><b>er pla</b>ced</p>"),
    seen("in columns", "<div style='columns:2'>Order placed</div>"),
    seen("turned a little", "<p style='transform:rotate(12deg);width:200px'>Order placed</p>"),
    seen("hidden from screen readers alone", "<p aria-hidden=true>Order placed</p>"),
    seen("in a slot of a shadow tree in another", shadow("<div><slot></slot></div>", "<x-a><p>Order placed</p></x-a>")),
    seen("in white where the page is dark", "<style>:root{color-scheme:dark}</style><p>Order placed</p>"),
    seen("as a hint in an empty field", "<input placeholder='Order placed'>"),
    seen(
        "on a line of its own in a list from right to left",
        "<div dir=rtl style='width:100px;overflow:auto;white-space:nowrap'>"
        "<span style='padding-right:300px'>Order placed</span></div>",
    ),
]
