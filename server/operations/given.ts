/** The fields that are given: a command has no field that is undefined. */
export function given<Fields extends object>(
  fields: Fields,
): {
  readonly [Name in keyof Fields]?: Exclude<Fields[Name], undefined>
} {
  const entries = Object.entries(fields).filter(([, value]) => value !== undefined)
  const some: { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } = {}
  return Object.assign(some, Object.fromEntries(entries))
}
