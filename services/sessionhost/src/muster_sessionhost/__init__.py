"""Session hosts: browsers, shells and files that outlive the workers that use them."""
