"""Session hosts: browsers, shells and files that outlive the workers who use them."""
