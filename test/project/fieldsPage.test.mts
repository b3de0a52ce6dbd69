import { fieldsPage } from '../docs/fields.mts';
import { expectGenerated } from '../docs/generated.mts';

test('docs/fields.md lists every field that any operation can use', async () => {
	expectGenerated('docs/fields.md', await fieldsPage());
});
