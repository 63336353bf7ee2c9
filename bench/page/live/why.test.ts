/** A developer asks on the page why a pull request failed, with a real server, real git and real tests. */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { git } from '../../../server/git/git.ts'
import { temporaryFolder } from '../../../server/testing/test-server.ts'
import { childToken, startWith } from '../../cli/start/testing/child-server.ts'
import { makeRepository } from '../../stage/repository.ts'
import { describeInBrowser } from '../testing/in-browser.ts'
import { signedIn } from '../testing/signed-in.ts'

describeInBrowser('why did mine fail', (visit) => {
  //
  test('a branch is submitted by its name, fails, and its page shows the log and submits it again', async () => {
    const folder = temporaryFolder()
    const shop = join(folder, 'shop.git')
    await makeRepository(shop, [{ number: 2, breaks: true }])
    const branch = ['update-ref', 'refs/heads/pay-twice', 'refs/pull/2/head']
    await git(['--git-dir', shop, ...branch])
    const options = ['--repo', shop, '--test', 'node test.mjs', '--data', join(folder, 'data')]
    const server = await startWith([process.execPath], options, {}, 'serve')
    const page = await signedIn(visit, server.url, childToken)
    const shown = (text: string): Promise<void> => page.getByText(text).first().waitFor()

    await shown('a push to a branch below queue/')
    await page.getByRole('button', { name: 'Submit…' }).first().click()
    await page.getByLabel('Number, branch or title').fill('no such branch')
    await shown('No title that this page knows has these words.')
    await page.getByLabel('Number, branch or title').fill('no-such-branch')
    await page.getByRole('button', { name: 'Submit no-such-branch' }).click()
    await page.locator('dialog .error').getByText('no-such-branch').waitFor()
    await page.getByLabel('Number, branch or title').fill('pay-twice')
    await page.getByRole('button', { name: 'Submit pay-twice' }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })

    await page.locator('.ended .is-failed .pull-request').click()
    await shown('Its tests failed')
    const log = page.locator('.log')
    await log.getByText('FAILED  what pull request 2 breaks').waitFor()
    await page.locator('.log-head a').click()
    await page.getByRole('heading', { name: /^Run \d+$/ }).waitFor()
    await log.getByText('FAILED  what pull request 2 breaks').waitFor()
    await page.goBack()

    await page.getByRole('button', { name: 'Submit again…' }).click()
    const field = page.getByLabel('Number, branch or title')
    const number = await field.inputValue()
    await field.fill('breaks a test')
    await page.locator('.choices button').click()
    expect(await field.inputValue()).toBe(number)
    await page.getByRole('button', { name: `Submit #${number}` }).click()
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.getByRole('heading', { name: 'Earlier submissions' }).waitFor()

    await page.goto(`${server.url}/nope`)
    await page.getByRole('heading', { name: 'No such page' }).waitFor()
    expect(await server.end()).toBe(0)
  })
})
