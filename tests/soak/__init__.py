"""A fleet under steady load for a long time: what may not grow, does it?"""
