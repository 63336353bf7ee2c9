/** `mergeyard backup`: writes a backup of a data folder, also while a server runs on it. */

import { backUp } from '../backup/backup.ts'
import { dataFolder } from '../store/data-folder.ts'
import { commandOf, withPlainErrors, exitCodes } from '../terminal/command.ts'
import { jsonOption, pathsOf, writeResult } from './place.ts'

export const main = withPlainErrors(
  commandOf(
    {
      command: 'backup',
      about:
        'Write a backup of a data folder as a tar file. The server may be running. The backup holds\n' +
        'everything that was acknowledged up to one instant, and nothing later. It holds secrets.',
      operands: ['<data>', '<out.tar>'],
      table: { ...jsonOption },
      more: 'Exit codes: 0 written, 1 not written, 2 wrong arguments.\n',
    },
    async (parsed, { stdout, env }) => {
      const [data = '', out = ''] = pathsOf(parsed, env)
      const backup = await backUp(dataFolder(data), out, new Date())
      const { createdAt, end, files, bytes } = backup
      const text = `${out}: ${files} files, ${bytes} bytes, up to entry ${end.sequence}, ${createdAt}\n`
      await writeResult(stdout, parsed, backup, text)
      return exitCodes.success
    },
  ),
)
