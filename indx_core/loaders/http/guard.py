"""Which IP addresses are public. Pure arithmetic on addresses: resolves and connects nothing."""

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address

_NAT64 = IPv6Network("64:ff9b::/96")
"""RFC 6052: how a network without IPv4 reaches it. Its last 32 bits are the IPv4 address that is meant."""

_NOT_PUBLIC = (
    IPv4Network("192.0.0.0/24"),  # protocol assignments (RFC 6890); Python before 3.11.10 calls most of it global
    IPv4Network("168.63.129.16/32"),  # what every virtual machine of Azure asks of its host, allocated as if public
    IPv6Network("3fff::/20"),  # documentation (RFC 9637)
)
"""What the standard library's ``is_global`` lets pass. Oracle's metadata service also answers at 192.0.0.192."""


def is_public(address: str) -> bool:
    """Whether an address is one that anyone on the Internet may ask.

    Not public: loopback, private, shared (100.64.0.0/10), link-local (the metadata services of clouds), reserved,
    multicast, unspecified, documentation. An IPv6 address that stands for an IPv4 one is judged by that.

    Args:
        address: A literal as the resolver or a socket gives it, perhaps with an IPv6 zone.
    """
    ip = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv4Address):
        return _public(ip)
    stands_for = ip.ipv4_mapped or (IPv4Address(int(ip) & 0xFFFFFFFF) if ip in _NAT64 else None)
    if stands_for is not None:
        return _public(stands_for)
    return _public(ip) and not ip.is_site_local and (ip.sixtofour is None or _public(ip.sixtofour))


def _public(ip: IPv4Address | IPv6Address) -> bool:
    special = any(ip in network for network in _NOT_PUBLIC)
    return ip.is_global and not ip.is_multicast and not ip.is_reserved and not special
