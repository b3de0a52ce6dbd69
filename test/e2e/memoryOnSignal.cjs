'use strict';

// Loaded into n8n: on SIGUSR2 it collects garbage and writes down how much memory is in use.
const { writeFileSync } = require('node:fs');
const { setFlagsFromString } = require('node:v8');
const { runInNewContext } = require('node:vm');

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

process.on('SIGUSR2', () => {
	collectGarbage();
	writeFileSync(process.env.MEMORY_FILE, JSON.stringify(process.memoryUsage()));
});
