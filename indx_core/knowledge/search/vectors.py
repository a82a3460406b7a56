"""Vector scores: exact cosine of a query with every vector of a space, by one matrix product.

Exact is fast enough to about a million vectors (0.19 s for 1M x 384 on two cores).
"""

import numpy as np  # noqa: TID253 - this module is imported when something is searched, never before
import numpy.typing as npt  # noqa: TID253 - as above


def cosine(matrix: npt.NDArray[np.float32], query: npt.NDArray[np.float32]) -> npt.NDArray[np.float64]:
    """Cosine of each row with the query; 0 where either is all zeros.

    Args:
        matrix: Shape ``(vectors, dimension)``.
        query: Shape ``(dimension,)``.
    """
    norms = np.sqrt(np.einsum("ij,ij->i", matrix, matrix)) * np.linalg.norm(query)
    products = matrix @ query
    scores: npt.NDArray[np.float64] = np.divide(products, norms, out=np.zeros(len(matrix)), where=norms > 0)
    return scores
