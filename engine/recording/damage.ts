/** The error for a recording whose content differs from what was written. */
export class DamagedRecording extends Error {
  override readonly name = 'DamagedRecording'
  /** The line in the file, from 1; null for the file as a whole. */
  readonly line: number | null
  readonly expected: string
  /** The content found instead. */
  readonly actual: string

  constructor(line: number | null, expected: string, actual: string) {
    super(`${line === null ? 'the file' : `line ${line}`}: expected ${expected}, got ${actual}`)
    this.line = line
    this.expected = expected
    this.actual = actual
  }
}

/** A newer version of Mergeyard wrote the recording. Nothing is damaged. */
export class NewerRecording extends DamagedRecording {
  constructor(versions: readonly number[], version: number) {
    super(1, `format version ${versions.join(' or ')}`, `version ${version} of a newer Mergeyard`)
  }
}

/** Returns the result of `work`. Turns an error that `work` throws into damage of this line. */
export function orDamaged<Value>(line: number, expected: string, work: () => Value): Value {
  try {
    return work()
  } catch (error) {
    throw new DamagedRecording(
      line,
      expected,
      error instanceof Error ? error.message : String(error),
    )
  }
}
