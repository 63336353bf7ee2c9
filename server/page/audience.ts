/** For whom a view is made: the public view has no title, person, test, link or ticket. */

export type Audience = 'member' | 'public'
