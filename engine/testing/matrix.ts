/** The options of a test of the matrix: the same decision on one more host, store or size, or at one more moment. */
export const matrix = { tags: ['matrix'] }
