/** A file of the data folder is damaged: its content is not what was written. Stops the start. */

import { DamagedRecording, NewerRecording } from '../../engine/index.ts'

type Damage = Pick<DamagedRecording, 'line' | 'expected' | 'actual'>

export class DamagedData extends Error {
  override readonly name = 'DamagedData'

  constructor(file: string, { line, expected, actual }: Damage) {
    const location = line === null ? file : `${file}, line ${line}`
    super(
      `${location}: expected ${expected}, got ${actual}. Nothing was changed. ` +
        'Restore the file from a backup, or move the data folder away to start empty',
    )
  }
}

/** A newer version wrote the file. Stops the start. */
export class NewerData extends Error {
  override readonly name = 'NewerData'

  constructor(file: string, { expected, actual }: Damage) {
    super(
      `${file}: expected ${expected}, got ${actual}. Nothing was changed. ` +
        'Start that newer version, or restore a backup from before the upgrade',
    )
  }
}

/** Returns what `read` returns. Throws `DamagedData` for this file if it finds damage. */
export function readingFile<Value>(file: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    if (error instanceof NewerRecording) throw new NewerData(file, error)
    if (error instanceof DamagedRecording) throw new DamagedData(file, error)
    throw error
  }
}
