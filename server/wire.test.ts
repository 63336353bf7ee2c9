import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { wireSource } from './testing/wire-source.ts'

const file = fileURLToPath(new URL('../../server/wire.ts', import.meta.url))

test('the types on the wire are those of the OpenAPI document', async () => {
  await expect(await wireSource()).toMatchFileSnapshot(file)
})
