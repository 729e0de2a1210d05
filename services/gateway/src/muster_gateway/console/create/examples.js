// Example cases, one for each common task.
export const EXAMPLES = [
  {
    title: "A page opens", form: "yaml",
    text: `name: A visitor finds the backpack
suite: shop
tags: [smoke]
variables:
  base_url: http://127.0.0.1:8000
steps:
  - action: Open "\${base_url}/products"
    expected: The page title is "Demo shop"
  - action: Type "Backpack" into the "Search products" field and click the "Search" button
    expected: The text "1 product found" is visible and the text "Onesie" is not visible
`,
  },
  {
    title: "Log in with a secret", form: "yaml",
    text: `name: A member logs in
suite: shop
variables:
  base_url: http://127.0.0.1:8000
secrets: [SHOP_PASSWORD]
steps:
  - action: Open "\${base_url}/login"
    expected: The page title is "Demo shop"
  - action: Type "tester" into the "User name" field and type "\${secret:SHOP_PASSWORD}" into the "Password" field
  - action: Click the "Log in" button
    expected: The text "Hello, tester" is visible and the URL contains "/products"
`,
  },
  {
    title: "A command", form: "yaml",
    text: `name: A tool greets
suite: tools
steps:
  - action: Run the command "echo Hello, Ada > greeting.txt"
    expected: The exit code is 0 and the file "greeting.txt" contains "Hello, Ada"
`,
  },
  {
    title: "Ask a person", form: "yaml",
    text: `name: An address is confirmed
suite: accounts
steps:
  - Ask "What is the code in the mail to tester@example.org?" and remember the answer as \${code}
  - action: Run the command "echo code \${code}"
    expected: The output contains "code"
`,
  },
  {
    title: "Several cases", form: "yaml",
    text: `suite: tools
cases:
  - name: A file is written
    steps:
      - action: Write "colour=green" to the file "tool.conf"
        expected: The file "tool.conf" contains "green"
  - name: A command fails loudly
    steps:
      - action: Run the command "ls missing-folder"
        expected: The exit code is 2
`,
  },
  {
    title: "In Gherkin", form: "gherkin",
    text: `@smoke
Feature: Search

  Scenario: The backpack is found
    When I open "http://127.0.0.1:8000/products"
    And I type "Backpack" into the "Search products" field
    And I click the "Search" button
    Then the text "1 product found" is visible
`,
  },
  {
    title: "In Markdown", form: "markdown",
    text: `# The backpack is found

Tags: smoke

| Action | Expected |
| --- | --- |
| Open "http://127.0.0.1:8000/products" | The page title is "Demo shop" |
| Type "Backpack" into the "Search products" field and click the "Search" button | The text "1 product found" is visible |
`,
  },
];
