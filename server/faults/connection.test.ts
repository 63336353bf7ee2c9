import { once } from 'node:events'
import { createServer } from 'node:http'
import { request } from 'node:https'
import { expect, test } from 'vitest'
import { listening } from '../testing/listening.ts'
import { certificates, listeningWithTls } from '../testing/tls.ts'
import { answerWords, connectionFault } from './connection.ts'

const known = [certificates.valid, certificates.expired]
const plain = (): Promise<number> => listening(createServer())

test.each([
  ['has expired', () => listeningWithTls('expired'), 'localhost'],
  ['is for another name', () => listeningWithTls('valid'), '127.0.0.1'],
])('a certificate that %s is named', async (words, listen, host) => {
  const asked = request({ host, port: await listen(), ca: known, agent: false }).end()
  const [fault]: unknown[] = await once(asked, 'error')
  expect(connectionFault(fault)).toEqual({ words: `its certificate ${words}`, isReached: true })
})

test.each([
  [
    'the certificate of an authority of its own',
    () => listeningWithTls('valid'),
    'its certificate is not from a known authority: name yours in NODE_EXTRA_CA_CERTS',
  ],
  ['no TLS', plain, 'it speaks http, not https'],
])('of a host with %s, `fetch` keeps what failed in the cause', async (_, listen, words) => {
  const fault: unknown = await fetch(`https://localhost:${await listen()}`).catch(
    (error: unknown) => error,
  )
  expect(connectionFault(fault)).toEqual({ words, isReached: true })
})

test('of the page of a proxy only the title is told, and of all else every word', () => {
  const page = '<html>\r\n<head><title>502 Bad Gateway</title></head>\r\n<body>...</body></html>'
  expect(answerWords(page)).toBe('502 Bad Gateway')
  expect(answerWords('<p>no')).toBe('a page without a title')
  expect(answerWords('no <title>a</title>')).toBe('no <title>a</title>')
})
