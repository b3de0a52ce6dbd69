// Ends this process when the one that started it is gone, even if that was killed: to be required first.
// A process that ended by kill -9 leaves no other sign. Windows does not show it at all.
'use strict';

const { isMainThread } = require('node:worker_threads');

if (isMainThread) {
	const parent = process.ppid;
	const watch = setInterval(() => {
		if (process.ppid !== parent) {
			clearInterval(watch);
			process.kill(process.pid, 'SIGTERM');
		}
	}, 500);
	watch.unref();
}
