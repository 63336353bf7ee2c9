/** The built pages as files. */

import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { start } from '../testing/test-server.ts'
import { temporaryFolder } from '../terminal/testing/temporary-folder.ts'
import { PageClient, pageWorld } from './testing/page-client.ts'
import { main } from '../testing/client.ts'
import type { AppliedCommand } from '../queues/publisher.ts'
import { messagesOf } from '../webhooks/message.ts'
import { pagesOf } from './live-page.ts'

test('the shell is at each of its addresses, for everybody, with a strict policy', async () => {
  const { server } = await pageWorld()
  for (const path of ['/', '/q/0123', '/q/0123/7', '/q/0123/run/15', '/play/']) {
    const response = await fetch(`${server.url}${path}`)
    expect([path, response.status]).toEqual([path, 200])
    expect(await response.text()).toContain('<title>Mergeyard</title>')
    const policy = response.headers.get('content-security-policy') ?? ''
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(policy.includes('trusted-types')).toBe(path !== '/play/')
    expect(response.headers.get('referrer-policy')).toBe('no-referrer')
  }
  const asset = await fetch(`${server.url}/page/assets/main.js`)
  expect(asset.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  expect(asset.headers.get('cache-control')).toContain('immutable')
  expect((await fetch(`${server.url}/play`)).url).toBe(`${server.url}/play/`)
})

//
test('pages, files and redirects have the headers of all responses, and another method is 405', async () => {
  const { server } = await pageWorld()
  for (const path of ['/', '/play', '/play/', '/page/assets/main.js', '/nope']) {
    const { headers } = await fetch(`${server.url}${path}`, { redirect: 'manual' })
    expect([path, headers.get('x-content-type-options')]).toEqual([path, 'nosniff'])
    expect(headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/)
  }
  for (const path of ['/', '/play', '/q/0123']) {
    const { status, headers } = await fetch(`${server.url}${path}`, { method: 'DELETE' })
    expect([path, status, headers.get('allow')]).toEqual([path, 405, 'GET, HEAD'])
  }
})

test.each([
  '/page/assets/missing.js',
  '/page/assets/..%2f..%2fdata%2ftokens.json',
  '/page/assets/%2e%2e%2findex.html',
  '/play/assets/..%5cindex.html',
  '/page/assets/',
  '/page/assets/%ff',
])('%s is not there', async (path) => {
  const { visitor } = await pageWorld()
  expect((await visitor.get(path)).status).toBe(404)
})

test('a page that is not built says how to build it', async () => {
  const folder = temporaryFolder()
  const pages = { live: join(folder, 'page'), play: join(folder, 'site') }
  const server = await start(join(folder, 'data'), { page: { pages } })
  onTestFinished(() => server.stop())
  const { status, text } = await new PageClient(server.url).get('/')
  expect([status, text]).toEqual([
    404,
    'the page is not built: run npm run build, and load it again',
  ])
})

test('a server without a page has no such addresses', async () => {
  const server = await start(temporaryFolder())
  onTestFinished(() => server.stop())
  for (const path of ['/', '/page/me', '/play/']) {
    expect((await new PageClient(server.url).get(path)).status).toBe(404)
  }
})

//
test.each(['/nope', '/q/%ff'])(
  'a browser that asks for %s gets the page, a program gets a sentence',
  async (path) => {
    const { server } = await pageWorld()
    const page = await fetch(`${server.url}${path}`, { headers: { accept: 'text/html,*/*' } })
    expect([page.status, await page.text()]).toEqual([
      404,
      '<!doctype html><title>Mergeyard</title>',
    ])
    const answer = await fetch(`${server.url}${path}`)
    expect([answer.status, await answer.text()]).toEqual([
      404,
      'there is no such path: /docs lists those of the API',
    ])
    expect(server.log.filter((line) => line.includes('fault'))).toEqual([])
  },
)

// Messages of webhooks lead to the live page.

//
test.each([
  ['the address of the server', 'https://queue.example/', 'https://queue.example/q/'],
  ['no address', '', null],
])('given %s, messages have the page of what they are about', async (_, publicUrl, page) => {
  const { server, queue, submit } = await pageWorld()
  const pageOf = pagesOf({ publicUrl }, server.manager.registry)
  const links: unknown[] = []
  server.manager.subscribe((applied: AppliedCommand) => {
    for (const { payload } of messagesOf(applied, 'origin', pageOf)) {
      const { type, page_url: link }: { type: string; page_url?: string } = JSON.parse(payload)
      links.push([type, link])
    }
  })
  await submit(7)
  await server.client.ok('updateQueue', { ...main, state: 'PAUSED' })
  const linkTo = (below: string) => (page === null ? undefined : `${page}${queue}${below}`)
  expect(links).toContainEqual(['pull_request.submitted', linkTo('/7')])
  expect(links).toContainEqual(['queue.updated', linkTo('')])
})
