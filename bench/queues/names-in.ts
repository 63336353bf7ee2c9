/** The names in a table, as the type of its keys. */

export function namesIn<Table extends object>(table: Table): (keyof Table & string)[] {
  const isIn = (name: string): name is keyof Table & string => name in table
  return Object.keys(table).filter(isIn)
}
