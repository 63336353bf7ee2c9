/** What a real server and the page keep from each reader. */

import { rmSync } from 'node:fs'
import { expect, test } from 'vitest'
import { matrix } from '../../../engine/testing/matrix.ts'
import { dataFolder } from '../../../server/store/data-folder.ts'
import { Client, main, Contract } from '../../../server/testing/client.ts'
import { issue, temporaryFolder } from '../../../server/testing/test-server.ts'
import { childToken, startChild, type ChildServer } from '../../cli/start/testing/child-server.ts'
import { describeInBrowser } from '../testing/in-browser.ts'
import { signedIn } from '../testing/signed-in.ts'

const attack = `</script><img src=x onerror="document.title='taken'">\u202E`

/** A queue with a pull request that somebody has named to attack the page. */
async function attacked(data: string, ...options: readonly string[]): Promise<ChildServer> {
  const server = await startChild(data, ...options)
  const client = new Client(server.url, childToken, new Contract())
  await client.ok('createQueue', main)
  const pr = { number: 7, sha: 'abc' }
  await client.ok('reportPullRequest', { ...main, pr, title: attack, author: attack })
  await client.ok('submitPullRequest', { ...main, pr })
  return server
}

async function stop(server: ChildServer): Promise<void> {
  server.process.kill('SIGTERM')
  await server.ended
}

describeInBrowser('the page of a real server', (visit) => {
  test('shows a hostile title as text, and breaks no rule of the policy', async () => {
    const server = await attacked(temporaryFolder())
    const page = await signedIn(visit, server.url, childToken)
    const noise: string[] = []
    page.on('console', (message) => noise.push(message.text()))
    // Until then the next state of the page can replace the row between the press and the release.
    await page.locator('.live.is-live').waitFor()
    const title = page.locator('.group [data-row="7"] .title')
    expect(await title.textContent()).toBe(attack.replace('\u202E', '[U+202E]'))
    await title.click()
    await page.locator('.summary h1').getByText('onerror').waitFor()
    expect(await page.title()).toContain('#7')
    expect(await page.locator('img').count()).toBe(0)
    expect(noise).toEqual([])
    await stop(server)
  })

  test('shows a reader without a token no word that somebody wrote', matrix, async () => {
    const server = await attacked(temporaryFolder(), '--public-page')
    const { page } = await visit(server.url)
    await page.locator('.group [data-row="7"]').click()
    await page.locator('.now[data-state="TESTING"]').waitFor()
    await page.getByRole('link', { name: 'Back to the queue' }).click()
    await page.locator('.answer').waitFor()
    const words = await page.evaluate<string>('document.documentElement.outerHTML')
    expect(words).not.toContain('onerror')
    expect(words).not.toContain('token')
    await stop(server)
  })

  test('asks for a sign-in when the token is gone, and shows nothing more', matrix, async () => {
    const data = temporaryFolder()
    const secret = await issue(data, 'submit')
    const server = await attacked(data)
    const page = await signedIn(visit, server.url, secret)
    rmSync(dataFolder(data).tokens)
    await page.getByText('Your session has ended. Sign in again to go on.').waitFor()
    expect(await page.locator('[data-row]').count()).toBe(0)
    await stop(server)
  })

  test('says that the server stops', matrix, async () => {
    const server = await attacked(temporaryFolder())
    const page = await signedIn(visit, server.url, childToken)
    await stop(server)
    await page.getByText(/^Not live since/).waitFor()
    await page.getByText('The server is stopping or starts anew.').waitFor()
    expect(await page.locator('.group [data-row="7"]').count()).toBe(1)
  })
})
