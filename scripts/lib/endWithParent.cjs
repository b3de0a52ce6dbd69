// Ends this process when its parent process has ended, even if the parent was killed. This file must be required first.
// After kill -9, the changed parent ID is the only sign. Windows does not change it.
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
