/** The names in a table, as the type of its keys. */

export function namesIn<Table extends object>(table: Table): (keyof Table & string)[] {
  return Object.keys(table).filter((name) => isNameIn(table, name))
}

export function isNameIn<Table extends object>(
  table: Table,
  name: string,
): name is keyof Table & string {
  return Object.hasOwn(table, name)
}
