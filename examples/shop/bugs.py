"""Faults that the shop can be served with: `--bug NAME`. The code asks `bug("NAME")` where one strikes."""

from collections.abc import Mapping

BUGS: Mapping[str, str] = {
    # the process
    "slow": "Every answer takes 0.7 seconds; nothing is wrong.",
    "shop-down": "Nothing answers at the shop's address.",
    "shop-dies": "The whole shop ends when somebody checks out.",
    # log-in
    "login-button-dead": "The log-in button does nothing.",
    "login-button-gone": "The log-in form has no button.",
    "login-500": "Logging in answers with status 500.",
    "login-any-password": "Every password is right.",
    "login-wrong-redirect": "Logging in leads to the cart instead of the products.",
    "login-not-needed": "Strangers see the pages of customers.",
    "greeting-wrong": "The customer is greeted by another name.",
    "logout-keeps-visit": "Logging out leaves the visit open.",
    "logout-500": "Logging out answers with status 500.",
    # products
    "search-500": "A search answers with status 500.",
    "search-ignored": "A search finds everything.",
    "search-case": "A search tells upper from lower case.",
    "search-words-lost": "The search field forgets what was searched for.",
    "category-ignored": "A category shows all products.",
    "category-dead": "Choosing a category does nothing.",
    "sort-ignored": "Sorting by price keeps the order.",
    "sort-as-text": "Prices are sorted as if they were words.",
    "count-stale": "The number of products found is always that of all products.",
    "count-inflated": "The number of products found has a 1 too much in front.",
    "product-missing": "The last product is left out of the list.",
    "products-empty": "The list of products is an empty page with the right title.",
    "card-wrong-link": "The link of every product leads to the backpack.",
    "card-wrong-price": "Prices in the list are a dollar higher than elsewhere.",
    "product-wrong-price": "The page of a product shows ten times its price.",
    "buttons-hidden": "Half of the buttons in the list of products are not shown.",
    "buttons-covered": "An invisible layer over the list of products catches every click.",
    # into the cart
    "add-500": "Adding to the cart answers with status 500.",
    "add-silent": "Adding to the cart is not confirmed.",
    "add-lost": "Adding to the cart is confirmed and not done.",
    "add-twice": "Adding to the cart puts in twice as many.",
    "add-only-once": "The button that adds a product is dead once the product is in the cart.",
    "add-wrong-product": "Another product is added than the one that is confirmed.",
    "add-ignores-quantity": "One piece is added, whatever quantity was chosen.",
    "notice-hidden": "Notices are in the page and not shown.",
    "notice-transparent": "Notices cannot be seen: they are fully transparent.",
    "notice-offscreen": "Notices are drawn far outside of the window.",
    "notice-stays": "A notice is shown again on every later page.",
    # the cart
    "total": "The total of cart and order forgets the quantities.",
    "total-drops-cents": "The total has no cents.",
    "total-in-euro": "The total is in another currency.",
    "total-more-digits": "The total has a third digit after the point.",
    "total-inflated": "The total has a 1 too much in front.",
    "total-invisible": "The total is transparent.",
    "total-hidden": "The total is in the page and not shown.",
    "total-only-subtotal": "There is a subtotal where the total should be.",
    "total-slips": "The total becomes zero two seconds after the page is there.",
    "amount-ignores-quantity": "The amount of a line is the price of one piece.",
    "amounts-swapped": "The amounts of the lines are in the opposite order.",
    "badge-counts-products": "The number beside the cart counts products instead of pieces.",
    "badge-inflated": "The number beside the cart has a 1 too much in front.",
    "cart-alerts": "The cart opens an alert: something went wrong.",
    "quantity-ignored": "Changing a quantity in the cart is not kept.",
    "quantity-dead": "Choosing a quantity in the cart does nothing.",
    "quantity-capped": "More than three pieces become three.",
    "remove-keeps": "Removing is confirmed and not done.",
    "remove-500": "Removing answers with status 500.",
    "remove-dies": "The whole shop ends when a product is removed.",
    "remove-comes-back": "What was removed is in the cart again a moment later.",
    "remove-without-asking": "Removing asks on a page of its own instead of in a dialog.",
    "remove-wrong-question": "The question before removing names another product.",
    "remove-though-dismissed": "Answering the question with Cancel removes all the same.",
    "remove-wrong-line": "Removing takes out the first line, whichever was meant.",
    "checkout-link-wrong": "The link to the checkout leads to the products.",
    # coupons
    "coupon-ignored": "A coupon is accepted and changes no total.",
    "coupon-any": "Any word is a coupon.",
    "coupon-wrong-percent": "A coupon takes off one percent instead of ten.",
    "coupon-lost": "The coupon is forgotten at the checkout.",
    # checkout
    "server-error": "The checkout answers with status 500.",
    "checkout-slow-500": "The checkout answers with status 500 after four seconds.",
    "terms-not-needed": "The checkout goes on although the terms are not accepted.",
    "email-unchecked": "Anything is an e-mail address.",
    "form-lost": "A form with a mistake comes back empty.",
    "remarks-lost": "Remarks are not kept.",
    "express-lost": "Express delivery becomes standard delivery.",
    "express-free": "Express delivery is not added to the total.",
    "upload-lost": "The delivery note is not kept.",
    "upload-anything": "A delivery note may be any kind of file.",
    "change-forgets": "Changing something at the review begins with an empty form.",
    "labels-swapped": "The labels of name and e-mail address stand at each other's fields.",
    # orders
    "place-dead": "The button that places the order does nothing.",
    "place-disabled": "The button that places the order is disabled.",
    "place-500": "Placing an order answers with status 500.",
    "place-loses-order": "The customer is thanked for an order that is not kept.",
    "place-keeps-cart": "The cart stays full after the order.",
    "place-twice": "Every order is placed twice.",
    "place-wrong-redirect": "Placing an order leads back to the cart.",
    "thanks-with-500": "The page that thanks for the order has status 500.",
    "thanks-nobody": "The customer is thanked without a name.",
    "number-differs": "The number the customer is told is not that of the order.",
    "orders-longer-number": "Numbers in the list of orders have a digit too much.",
    "orders-loop": "The list of orders leads to itself for ever.",
    "orders-hang": "The list of orders is never answered.",
    "order-search-ignored": "A search for an order finds all orders.",
    "order-shows-another": "An order's page shows the first order of the visit.",
    "status-wrong": "A new order is listed as sent.",
    "status-hidden": "The status of an order is in its page and not shown.",
    "invoice-wrong-total": "The invoice's total has no delivery in it.",
    "invoice-404": "There is no invoice.",
    "api-500": "The JSON of all orders answers with status 500.",
    "api-drops-quantity": "The JSON of all orders says one piece for every line.",
    # returns
    "return-not-done": "Returning an order is confirmed and not done.",
    "return-twice": "An order that was returned can be returned again.",
    # profile
    "profile-not-saved": "The profile is confirmed and not saved.",
    "profile-city-cut": "The city in the profile is cut after four letters.",
    "newsletter-stuck": "The newsletter cannot be switched off again.",
    "profile-not-used": "The checkout does not begin with the profile.",
    # terms and late pages
    "tabs-swapped": "A tab of the terms shows the text of another one.",
    "late-list-500": "The slow list's request answers with status 500.",
    "late-total-wrong": "The late total forgets the quantity.",
    "late-sent-twice": "The late order is counted twice.",
}
"""By name, what each does to the customer."""

_seeded: set[str] = set()


def seed(name: str) -> None:
    """Serve this process with a fault from now on."""
    _seeded.add(name)


def bug(name: str) -> bool:
    """Return whether the shop is served with this fault; a name that is not in `BUGS` is a KeyError."""
    return bool(BUGS[name]) and name in _seeded
