/** Returns a function that calls `make` at its first call and returns that value every time. */
export function once<Thing>(make: () => Thing): () => Thing {
  let made: { readonly thing: Thing } | null = null
  return () => (made ??= { thing: make() }).thing
}
