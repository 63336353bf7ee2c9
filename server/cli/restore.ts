/** `mergeyard restore`: restores a backup into an empty folder. */

import { pino } from 'pino'
import { restore } from '../backup/backup.ts'
import { commandOf, withPlainErrors, exitCodes } from '../terminal/command.ts'
import { jsonOption, pathsOf, writeResult } from './place.ts'

export const main = withPlainErrors(
  commandOf(
    {
      command: 'restore',
      about:
        'Restore a backup into a new or empty folder, and verify it. A new epoch begins: verdicts of\n' +
        'test runs that started after the backup are refused.',
      operands: ['<backup.tar>', '<data>'],
      table: { ...jsonOption },
      more: 'Exit codes: 0 restored, 1 not restored, and the folder is empty, 2 wrong arguments.\n',
    },
    async (parsed, { stdout, env }) => {
      const [from = '', data = ''] = pathsOf(parsed, env)
      const { createdAt, end, files } = await restore(from, data, pino({ enabled: false }))
      const document = { data, createdAt, end, files: files.length }
      const text = `${data}: ${files.length} files, up to entry ${end.sequence}, as of ${createdAt}\n`
      await writeResult(stdout, parsed, document, text)
      return exitCodes.success
    },
  ),
)
