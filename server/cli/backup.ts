/** `mergeyard backup`: writes a backup of a data folder, also while a server runs on it. */

import { pino } from 'pino'
import { backUp, restore } from '../backup/backup.ts'
import { faultsBesideLog } from '../backup/beside-log.ts'
import { withPlainErrors, exitCodes } from '../terminal/command.ts'
import { answering, pathsOf, recordedIn } from './place.ts'
import { faultsIn } from '../store/verify.ts'
import { refuseUnreadableFile } from '../terminal/files.ts'
import { several } from '../terminal/text.ts'

export const backupCommand = withPlainErrors(
  answering(
    {
      command: 'backup',
      about:
        'Write a backup of a data folder as a tar file. The server may be running. The backup holds\n' +
        'everything that was acknowledged up to one instant, and nothing later. It holds secrets.',
      operands: ['<data>', '<out.tar>'],
      table: {},
      more: 'Exit codes: 0 written, 1 not written, 2 wrong arguments.\n',
    },
    async (parsed, { env }) => {
      const [data = '', out = ''] = pathsOf(parsed, env)
      const { folder } = recordedIn('backup', data)
      const { unnoted, ...backup } = await backUp(folder, out, new Date())
      const { createdAt, end, files, bytes } = backup
      const text = `${out}: ${files} files, ${bytes} bytes, up to entry ${end.sequence}, ${createdAt}\n`
      const words = 'the backup is whole, but the age of the newest one is that of the one before'
      const aside = unnoted === null ? '' : `backup: ${words}: ${unnoted}\n`
      return { document: backup, text, aside }
    },
  ),
)

// `mergeyard restore`: restores a backup into an empty folder.

export const restoreCommand = withPlainErrors(
  answering(
    {
      command: 'restore',
      about:
        'Restore a backup into a new or empty folder, and verify it. A new epoch begins: verdicts of\n' +
        'test runs that started after the backup are refused.',
      operands: ['<backup.tar>', '<data>'],
      table: {},
      more: 'Exit codes: 0 restored, 1 not restored, and the folder is as it was, 2 wrong arguments.\n',
    },
    async (parsed, { env }) => {
      const [from = '', data = ''] = pathsOf(parsed, env)
      refuseUnreadableFile(from, from)
      const { createdAt, end, files } = await restore(from, data, pino({ enabled: false }))
      const document = { data, createdAt, end, files: files.length }
      const text = `${data}: ${files.length} files, up to entry ${end.sequence}, as of ${createdAt}\n`
      return { document, text }
    },
  ),
)

// `mergeyard verify`: looks at every byte of a data folder. Changes nothing.

export const verifyCommand = withPlainErrors(
  answering(
    {
      command: 'verify',
      about:
        'Verify a data folder: every checksum, the chain of segments, a replay, and the files of tokens\n' +
        'and webhooks. The server may be running. Prints one line per fault.',
      operands: ['<data>'],
      table: {},
      more: 'Exit codes: 0 whole, 1 damaged, 2 wrong arguments or not a data folder.\n',
    },
    async (parsed, { env }) => {
      const [data = ''] = pathsOf(parsed, env)
      const { folder, segments } = recordedIn('verify', data)
      const faults = [...(await faultsIn(folder)), ...faultsBesideLog(folder)]
      const lines = faults.length > 0 ? faults : [`whole: ${several(segments, 'segment')}`]
      const code = faults.length > 0 ? exitCodes.failure : exitCodes.success
      return { document: { data, segments, faults }, text: `${lines.join('\n')}\n`, code }
    },
  ),
)
