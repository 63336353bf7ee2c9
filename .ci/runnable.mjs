/**
 * After each build: makes the files under `bin` in package.json executable. npm does this only when
 * it installs the package. Without it, a new `dist/` gives "Permission denied". And copies the files of Swagger UI
 * that the server shows, with their licence: its npm package brings an install script to all who depend on it.
 */

import { chmodSync, copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const file of Object.values(bin)) chmodSync(file, 0o755)

mkdirSync('dist/docs', { recursive: true })
const licences = ['LICENSE', 'NOTICE', 'swagger-ui-bundle.js.LICENSE.txt']
const shown = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png', ...licences]
for (const name of shown) {
  const file = fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))
  copyFileSync(file, `dist/docs/${name}`)
}
