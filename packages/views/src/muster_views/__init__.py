"""Reports of runs: HTML pages, JUnit XML and JSON, made from what the bus has about them."""
