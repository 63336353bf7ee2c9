/** Changes the webhooks of a data folder. A running server reads changes within a second. */

import type { DataFolder } from '../../../server/store/data-folder.ts'
import { readEndpoints, writeEndpoints, type Endpoint } from '../../../server/webhooks/endpoints.ts'
import { withFolderLock } from './with-lock.ts'

export async function addEndpoint(folder: DataFolder, endpoint: Endpoint): Promise<void> {
  await withFolderLock(folder, async () => {
    await writeEndpoints(folder.webhooks, [...readEndpoints(folder.webhooks), endpoint])
  })
}

export async function removeEndpoint(folder: DataFolder, id: string): Promise<void> {
  await withFolderLock(folder, async () => {
    const others = readEndpoints(folder.webhooks).filter((endpoint) => endpoint.id !== id)
    await writeEndpoints(folder.webhooks, others)
  })
}
