// Prints how much the project offers and contains: npm run measure
import { join } from 'node:path';

import { measure } from './lib/measure.mts';
import { packPackage } from './lib/packPackage.mts';
import { cache } from './lib/places.mts';

const tarball = await packPackage(join(cache, 'pack'), join(cache, 'logs', 'pack.log'));
for (const [name, value] of Object.entries(measure(tarball))) {
	console.log(`${name.padEnd(44)}${value.toLocaleString('en-US').padStart(10)}`);
}
