/** What people do on the page, with a real server: each action shows by the stream, and says who did it. */

import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { Client, main, Contract } from '../../../server/testing/client.ts'
import { issue, temporaryFolder } from '../../../server/testing/test-server.ts'
import type * as wire from '../../../server/contract/wire.ts'
import { childToken, startChild } from '../../cli/start/testing/child-server.ts'
import { describeInBrowser } from '../testing/in-browser.ts'
import { signedIn } from '../testing/signed-in.ts'

describeInBrowser('actions of the page', (visit) => {
  test('submit, priority, restart, settings, pause and resume', matrix, async () => {
    const server = await startChild(temporaryFolder())
    const client = new Client(server.url, childToken, new Contract())
    await client.ok('createQueue', { ...main, concurrency: 1 })
    const page = await signedIn(visit, server.url, childToken)
    const press = (name: string): Promise<void> =>
      page.getByRole('button', { name, exact: true }).last().click()
    const choose = (label: string): Promise<void> =>
      page.locator('.choices button', { hasText: label }).click()
    const done = (): Promise<void> => page.locator('dialog').waitFor({ state: 'detached' })

    for (const number of ['7', '8', '9']) {
      await press('Submit…')
      await page.getByLabel('Number, branch or title').fill(number)
      await press(`Submit #${number}`)
      await done()
    }
    await page.locator('.group [data-row="7"]').waitFor()
    await page.locator('.waiting [data-number="9"] .state.is-waiting').waitFor()

    await press('Actions for 9')
    await choose('Priority…')
    await page.getByLabel('high').check()
    await press('Change the priority of #9')
    await done()
    await page.mouse.move(0, 0)
    await page.locator('main').focus()
    await page.locator('.waiting tr:nth-child(1)[data-number="9"]').waitFor()

    const runBefore = await page.locator('.run-id').textContent()
    await press('Actions for 7')
    await choose('Restart tests…')
    await press('Restart the tests of #7')
    await done()
    await expect.poll(() => page.locator('.run-id').textContent()).not.toBe(runBefore)

    await press('Queue…')
    await choose('Settings…')
    await page.getByLabel('Runs at once').fill('2')
    await page.getByText('Up to 2 run at once instead of 1.').waitFor()
    await press('Change the settings')
    await done()
    await page.locator('.group [data-row="9"]').waitFor()

    await press('Queue…')
    await choose('Pause…')
    await press('Pause the queue')
    await page.locator('.banner').getByText('Paused').waitFor()
    expect(await client.ok<wire.Queue>('getQueue', main)).toMatchObject({
      state: 'PAUSED',
      concurrency: 2,
    })
    await press('Resume…')
    await press('Resume the queue')
    await page.locator('.banner').waitFor({ state: 'detached' })
    server.process.kill('SIGTERM')
    await server.ended
  })

  test('who may only read sees no button, and who signs out sees nothing', async () => {
    const data = temporaryFolder()
    const reader = await issue(data, 'read')
    const server = await startChild(data)
    const client = new Client(server.url, childToken, new Contract())
    await client.ok('createQueue', main)
    await client.ok('submitPullRequest', { ...main, pr: { number: 7 } })
    const page = await signedIn(visit, server.url, reader)
    await page.locator('.group [data-row="7"]').waitFor()
    expect(await page.getByRole('button', { name: /^Actions|…$/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.getByRole('heading', { name: 'Sign in' }).waitFor()
    expect(await page.locator('[data-row]').count()).toBe(0)
    server.process.kill('SIGTERM')
    await server.ended
  })
})
