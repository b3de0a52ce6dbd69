// Builds the package and packs it for publishing: node scripts/run.mjs pack <folder>
// The last line on stdout is the path of the tarball.
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { cache, npmProgram, root } from './lib/places.mts';
import { runProcess } from './lib/process.mts';

const destination = resolve(process.argv[2] ?? join(cache, 'pack'));
const logFile = join(cache, 'logs', 'pack.log');
const options = { cwd: root, env: process.env, logFile };

await mkdir(destination, { recursive: true });
const gulp = join(root, 'node_modules', 'gulp', 'bin', 'gulp.js');
await runProcess({ ...options, name: 'The build', args: [gulp, 'build'] });
const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', destination];
const packed = await runProcess({ ...options, name: 'npm pack', args: [npmProgram(), ...pack] });
const [{ filename }] = JSON.parse(packed) as [{ filename: string }];
console.log(join(destination, filename));
