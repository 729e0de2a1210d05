@own-sentences @var:base_url=http://127.0.0.1:8000 @secret:SHOP_PASSWORD
Feature: The cart
  Scenario: It is empty at first
    Given I log in as "tester"
    When I click the "Cart" link
    Then the cart is empty
