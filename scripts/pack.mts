// Builds the package and packs it for publishing: npm run pack -- <folder>
// The last line on stdout is the path of the tarball.
import { join, resolve } from 'node:path';

import { packPackage } from './lib/packPackage.mts';
import { cache } from './lib/places.mts';

console.log(await packPackage(resolve(process.argv[2] ?? join(cache, 'pack')), join(cache, 'logs', 'pack.log')));
