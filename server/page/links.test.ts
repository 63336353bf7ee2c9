/** Messages of webhooks lead to the live page. */

import { expect, test } from 'vitest'
import { main } from '../testing/client.ts'
import type { AppliedCommand } from '../queues/queue-manager.ts'
import { messagesOf } from '../webhooks/message.ts'
import { pagesOf } from './live-page.ts'
import { pageWorld } from './testing/page-server.ts'

/** The links in the messages about what happens next. */
async function linksOf(publicUrl: string | null): Promise<{ queue: string; links: unknown[] }> {
  const { server, queue, submit } = await pageWorld()
  const pageOf = pagesOf(publicUrl === null ? null : { publicUrl }, server.manager.registry)
  const links: unknown[] = []
  server.manager.subscribe((applied: AppliedCommand) => {
    for (const { payload } of messagesOf(applied, 'origin', pageOf)) {
      const { type, page_url: link }: { type: string; page_url?: string } = JSON.parse(payload)
      links.push([type, link])
    }
  })
  await submit(7)
  await server.client.ok('updateQueue', { ...main, state: 'PAUSED' })
  return { queue, links }
}

//
test('given the address of the server, each message has the page of its pull request or queue', async () => {
  const { queue, links } = await linksOf('https://queue.example/')
  expect(links).toContainEqual(['pull_request.submitted', `https://queue.example/q/${queue}/7`])
  expect(links).toContainEqual(['queue.updated', `https://queue.example/q/${queue}`])
})

test('given no address, messages have no link', async () => {
  const { links } = await linksOf(null)
  expect(links).toContainEqual(['pull_request.submitted', undefined])
})
