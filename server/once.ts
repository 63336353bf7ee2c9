/** Makes something when it is first asked for, and no second time. */
export function once<Thing>(make: () => Thing): () => Thing {
  let made: { readonly thing: Thing } | null = null
  return () => (made ??= { thing: make() }).thing
}
