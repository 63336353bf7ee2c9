/** The colours of all pages, light and dark, named by their meaning. `heat-2` to `heat-7` go from low to high values. */

import { css } from './html.ts'

export const colors = css`
  color-scheme: light dark;
  --paper: light-dark(#ffffff, #1a1d23);
  --ground: light-dark(#f5f6f8, #121419);
  --ink: light-dark(#1b1f27, #e6e9ef);
  --soft: light-dark(#59616f, #9aa3b2);
  --line: light-dark(#d8dce3, #343a45);
  --link: light-dark(#1f57c3, #82aef5);
  --good: light-dark(#14804a, #55c78d);
  --bad: light-dark(#c4342b, #ff7f76);
  --warn: light-dark(#8f5f00, #e5b450);
  --merged: light-dark(#2a9d62, #3fae74);
  --failed: light-dark(#d5463c, #e8645a);
  --cancelled: light-dark(#8b93a1, #7d8695);
  --waiting: light-dark(#bcc4d0, #4b5462);
  --testing: light-dark(#4a86e0, #5b93e8);
  --passed: light-dark(#85cba4, #2f6f4c);
  --held: light-dark(#e3a433, #d69a35);
  --bisecting: light-dark(#9668cf, #a57fdb);
  --series-1: light-dark(#3f7fdc, #6a9fee);
  --series-2: light-dark(#e08a1e, #eda04a);
  --series-3: light-dark(#2a9d62, #4fbf86);
  --series-4: light-dark(#9668cf, #b08ce4);
  --series-6: light-dark(#2aa3ad, #4fbfc8);
  --series-7: light-dark(#b5882b, #d0a94f);
  --series-8: light-dark(#8b93a1, #939ba9);
  --heat-2: light-dark(#cfe0f7, #1f3a63);
  --heat-3: light-dark(#a9c8f0, #264e88);
  --heat-4: light-dark(#7eace6, #3366ae);
  --heat-5: light-dark(#528dd8, #4c83cf);
  --heat-6: light-dark(#2f6cc0, #78a6e6);
  --heat-7: light-dark(#174a96, #b2cffa);
`
