"""How groups of commands list them."""

import click


class OrderedGroup(click.Group):
    """Lists its commands in the order in which one comes to need them."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order they were added."""
        return list(self.commands)
