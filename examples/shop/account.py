"""The customer's profile: its page, and what answers its form."""

from html import escape

from bugs import bug
from layout import field, page
from store import Profile, Visit
from web import Request, Response, html, redirect


def show(visit: Visit, _: Request) -> Response:
    """Show the profile as it was saved."""
    profile = visit.profile
    body = f"""<h1>Your profile</h1>
<form class="panel" method="post" action="/profile">
{field("name", "Display name", profile.name)}
{field("email", "Contact e-mail", profile.email, "email")}
{field("city", "City", profile.city)}
<div class="choice"><input type="checkbox" id="newsletter" name="newsletter"{" checked" if profile.newsletter else ""}>
<label for="newsletter">Send me the newsletter</label></div>
<p class="actions"><button>Save profile</button></p></form>
<p class="small">Newsletter for {escape(profile.email) if profile.newsletter else "nobody"}.</p>"""
    return html(page("Profile - Demo shop", body, visit, narrow=True))


def save(visit: Visit, request: Request) -> Response:
    """Save the profile."""
    form = request.form
    city = form.get("city", "").strip()
    profile = Profile(
        name=form.get("name", "").strip(),
        email=form.get("email", "").strip(),
        city=city[:4] if bug("profile-city-cut") else city,
        newsletter="newsletter" in form or (bug("newsletter-stuck") and visit.profile.newsletter),
    )
    if not bug("profile-not-saved"):
        visit.profile = profile
    visit.notice = "Your profile was saved."
    return redirect("/profile")
