/** Texts of recordings for tests. */

import { crc32 } from 'node:zlib'
import { checksumTail, snapshotTail } from '../format.ts'

/** Returns the line of an object with its checksum and line end. */
export function checkedText(value: object): string {
  const text = JSON.stringify(value)
  return `${text.slice(0, -1)}${checksumTail(crc32(text))}\n`
}

/** Returns a snapshot with these records. */
export function snapshotText(header: object, records: readonly object[]): string {
  const first = `${JSON.stringify(header).slice(0, -1)},"lines":[\n`
  const text = `${first}${records.map((each) => JSON.stringify(each)).join(',\n')}\n`
  return `${text}${snapshotTail(crc32(text))}\n`
}
