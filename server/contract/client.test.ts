import { createServer } from 'node:http'
import { expect, test } from 'vitest'
import { listening } from '../testing/listening.ts'
import { main } from '../testing/client.ts'
import { connect } from './client.ts'

//
test('given a proxy that sends requests on to another host, the token stays here', async () => {
  const tokens: unknown[] = []
  const other = createServer(({ headers }, response) => {
    tokens.push(headers['x-api-token'])
    response.end('{}')
  })
  const to = `http://127.0.0.1:${await listening(other)}`
  const proxy = createServer(({ url = '' }, response) => {
    response.writeHead(307, { location: `${to}${url}` }).end()
  })
  const call = connect({ url: `http://127.0.0.1:${await listening(proxy)}`, token: 'secret' })
  await expect(call('getQueue', main)).rejects.toThrow('fetch failed')
  expect(tokens).toEqual([])
})
