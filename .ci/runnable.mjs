/**
 * After each build: makes the files under `bin` in package.json executable. npm does this only when
 * it installs the package. Without it, a new `dist/` gives "Permission denied".
 */

import { chmodSync, readFileSync } from 'node:fs'

const { bin } = JSON.parse(readFileSync('package.json', 'utf8'))
for (const file of Object.values(bin)) chmodSync(file, 0o755)
