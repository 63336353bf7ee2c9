import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { wireSource } from '../testing/wire-source.ts'

const file = fileURLToPath(new URL('../../../server/contract/wire.ts', import.meta.url))

test('wire.ts is what the generator makes from the OpenAPI document', async () => {
  await expect(await wireSource()).toMatchFileSnapshot(file)
})
