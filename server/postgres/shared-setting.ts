/** A list that several servers share and commands change: a row of the database, as JSON. */

import type { Pool } from 'pg'

export type SharedSetting<Item> = {
  readonly name: string
  /** Checks what was read. */
  readonly itemsIn: (found: unknown) => readonly Item[]
}

const select = 'select content from mergeyard.settings where name = $1'

export async function readSetting<Item>(
  pool: Pick<Pool, 'query'>,
  { name, itemsIn }: SharedSetting<Item>,
): Promise<readonly Item[]> {
  const { rows } = await pool.query<Row>(select, [name])
  const [row] = rows
  return row === undefined ? [] : itemsIn(JSON.parse(textOf(row['content'])))
}

/** Changes the list. Nobody else changes it at the same time. */
export async function changeSetting<Item>(
  pool: Pool,
  setting: SharedSetting<Item>,
  edit: (items: readonly Item[]) => readonly Item[],
): Promise<void> {
  const { name } = setting
  const client = await pool.connect()
  try {
    await client.query('begin')
    await client.query(
      `insert into mergeyard.settings (name, content) values ($1, '[]') on conflict do nothing`,
      [name],
    )
    await client.query(`${select} for update`, [name])
    const content = JSON.stringify(edit(await readSetting(client, setting)))
    await client.query('update mergeyard.settings set content = $2 where name = $1', [
      name,
      content,
    ])
    await client.query('commit')
    client.release()
  } catch (error) {
    // What was begun ends with its session.
    client.release(true)
    throw error
  }
}

// Reads what PostgreSQL answers. Large numbers come as text, because a number of JavaScript may not hold them.

export type Row = Readonly<Record<string, unknown>>

/** A number that is exact in JavaScript: sequences and instants are. Throws for anything else. */
export function bigNumber(value: unknown): number {
  const number = Number(value)
  if (value === null || !Number.isSafeInteger(number))
    throw new Error(`expected a whole number, got ${JSON.stringify(value)}`)
  return number
}

export const numberOrNull = (value: unknown): number | null =>
  value === null ? null : bigNumber(value)

export function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new Error(`expected a text, got ${JSON.stringify(value)}`)
  return value
}
