import { dataFolder } from '../store/data-folder.ts'
import { temporaryFolder } from '../testing/test-server.ts'
import { OutboxFile, readOutbox } from './outbox-file.ts'
import { describeOutbox } from './testing/outbox-contract.ts'

describeOutbox('a file', async () => {
  const path = dataFolder(temporaryFolder()).outbox
  const outbox = await OutboxFile.open(path, (error) => {
    throw error
  })
  return {
    outbox,
    keep: () => outbox.flush(),
    reread: () => Promise.resolve(readOutbox(path)),
  }
})
