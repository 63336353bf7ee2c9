/** The name of a test is chosen by whoever opens a pull request: in a comment it stays in its code span. */

import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, test, onTestFinished } from 'vitest'
import { codeSpan } from './report.ts'
import { RestClient } from './rest.ts'

test.each([
  ['adds two numbers', '`adds two numbers`'],
  ['a\n\n@everyone', '`a @everyone`'],
  ['a`b` @everyone', '`` a`b` @everyone ``'],
  ['```\n# big', '```` ``` # big ````'],
  ['a\u202Eb\u001B[31m', '`a b [31m`'],
  ['', '`  `'],
])('%j is written as %s', (name, written) => {
  expect(codeSpan(name)).toBe(written)
})

test.each([
  ['x', 199],
  ['\u{1F9EA}', 99],
])('a long name of %s is cut, and never in the middle of a character', (character, count) => {
  expect(codeSpan(character.repeat(5_000))).toBe(`\`${character.repeat(count)}…\``)
})

test('what a host says of a failure is cut, and no part of the token is in it', async () => {
  const token = 'secret-of-the-queue'
  const before = 'x'.repeat(450)
  const host = createServer((_request, response) => {
    response.writeHead(500).end(`${before}${token}${token}`)
  })
  await new Promise<void>((done) => host.listen(0, '127.0.0.1', done))
  onTestFinished(() => void host.close())
  const { port }: Pick<AddressInfo, 'port'> = Object(host.address())
  const client = new RestClient({
    name: 'Gitea',
    api: `http://127.0.0.1:${port}`,
    at: '/repos/acme/shop',
    gitUser: 'queue',
    token: () => token,
    page: {},
    isLast: () => true,
  })
  const failure: unknown = await client.get('/pulls/7').catch((error: unknown) => error)
  const words = String(failure)
  expect(words).toContain(`GET /pulls/7: Gitea answers 500: ${before}[`)
  expect(words).not.toContain('secret-')
})
