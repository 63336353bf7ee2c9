/** The history that the recorded answers of GitHub in `github/shop` tell: a morning with a merge queue. */

import { readGitHub } from '../github/read-folder.ts'
import { GitHubStory } from './github-story.ts'

export const shopFolder = 'sim/import/testing/github/shop'

export const shopStory = new GitHubStory(readGitHub(shopFolder, 'shop'))
