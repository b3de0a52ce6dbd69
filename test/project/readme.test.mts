import { expectGenerated } from '../docs/generated.mts';
import { PAGE, readmePage } from '../docs/readme.mts';

test('README.md lists every operation and every event', () => {
	expectGenerated(PAGE, readmePage());
});
