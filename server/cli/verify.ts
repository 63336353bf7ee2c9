/** `mergeyard verify`: looks at every byte of a data folder. Changes nothing. */

import { existsSync } from 'node:fs'
import { dataFolder, segmentsIn } from '../store/data-folder.ts'
import { faultsIn } from '../store/verify.ts'
import { BadInput } from '../terminal/bad-input.ts'
import { commandOf, withPlainErrors, exitCodes } from '../terminal/command.ts'
import { several } from '../terminal/text.ts'
import { jsonOption, pathsOf, writeResult } from './place.ts'

export const main = withPlainErrors(
  commandOf(
    {
      command: 'verify',
      about:
        'Verify the snapshots and the command log of a data folder: every checksum, the chain of\n' +
        'segments, and a replay. The server may be running. Prints one line per fault.',
      operands: ['<data>'],
      table: { ...jsonOption },
      more: 'Exit codes: 0 whole, 1 damaged, 2 wrong arguments or not a data folder.\n',
    },
    async (parsed, { stdout, env }) => {
      const [data = ''] = pathsOf(parsed, env)
      const folder = dataFolder(data)
      const segments = existsSync(folder.log) ? segmentsIn(folder).length : 0
      if (segments === 0) {
        const expected = 'the data folder of a server, with a command log in it'
        throw new BadInput('verify', [{ where: data, expected, actual: 'none' }])
      }
      const faults = await faultsIn(folder)
      const lines = faults.length > 0 ? faults : [`whole: ${several(segments, 'segment')}`]
      const document = { data, segments, faults }
      await writeResult(stdout, parsed, document, `${lines.join('\n')}\n`)
      return faults.length > 0 ? exitCodes.failure : exitCodes.success
    },
  ),
)
