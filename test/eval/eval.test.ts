import { describe, expect, test } from 'vitest';
import { createLenientReader } from '../../src/contract/reader.ts';
import type { AccessKind } from '../../src/mcp/define-tool.ts';
import { tools as all } from '../../src/mcp/tools/index.ts';
import { type Question, questions } from './questions.ts';

/**
 * What can be said of the tools' descriptions without a model: every question can be asked with the arguments that are
 * published, and the words of the tools are far enough from each other to be told apart. `test/README.md` has the rules.
 */

const QUESTIONS_MIN = 40;
/** The tools that a model sees together. */
const offered = (access: AccessKind) => all.filter((tool) => tool.access?.includes(access) ?? true);
const tools = offered('key');

/** Share of words that two descriptions may have in common. */
const OVERLAP_MAX = 0.3;

const toolOf = ({ tool }: Question) => {
  const found = tools.find(({ name }) => name === tool);
  if (found === undefined) throw new Error(`${tool} is not a tool`);
  return found;
};

const SMALL = new Set(
  'a an the of and or to in on by for with is it this that one at as such than then not no'.split(' '),
);

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[a-z]+/g) ?? [];
  return new Set(words.filter((word) => !SMALL.has(word)).map((word) => word.replace(/(ies|s)$/, '')));
}

/** All that a model reads of a tool before it calls it. */
const saidOf = ({ name, title, description, input }: (typeof tools)[number]): Set<string> => {
  const fields = Object.entries(input.shape).map(
    ([field, schema]) => `${field} ${(schema as any).meta()?.description}`,
  );
  return wordsOf([name, title, description, ...fields].join(' ').replaceAll('_', ' '));
};

describe('the questions', () => {
  test('are enough, and none is asked twice', () => {
    expect(new Set(questions.map(({ ask }) => ask)).size).toBeGreaterThanOrEqual(QUESTIONS_MIN);
    expect(new Set(questions.map(({ ask }) => ask)).size).toBe(questions.length);
  });

  test('need every tool and every type at least once', () => {
    expect(new Set(questions.map(({ tool }) => tool))).toEqual(new Set(tools.map(({ name }) => name)));
    const types = questions.flatMap(({ args }) => args['type'] ?? []);
    expect(new Set(types)).toEqual(new Set(['companies', 'people', 'investors', 'events', 'rounds']));
  });

  test.each(questions.map((question) => [question.ask, question] as const))('%s', (_ask, question) => {
    const tool = toolOf(question);
    // Throws when an argument is not published, or has a value that is not allowed.
    expect(createLenientReader(tool.input)(question.args)).toMatchObject(question.args);
  });
});

describe('the descriptions', () => {
  const pairsOf = (access: AccessKind) => {
    const described = offered(access).map(({ name, title, description }) => ({
      name,
      words: wordsOf(`${title} ${description}`),
    }));
    return described.flatMap((left, index) => described.slice(index + 1).map((right) => [left, right] as const));
  };

  test.each([...pairsOf('key'), ...pairsOf('wallet')])(
    'of $name and another tool have few words in common',
    (left, right) => {
      const common = [...left.words].filter((word) => right.words.has(word));
      const smaller = Math.min(left.words.size, right.words.size);
      expect(common.length / smaller, common.join(' ')).toBeLessThanOrEqual(OVERLAP_MAX);
    },
  );

  test('begin with what the tool does, are short, and do not repeat the name of the tool', () => {
    for (const { name, description } of all) {
      expect(description.length, name).toBeLessThan(400);
      expect(description.split(/[.,]/)[0], name).not.toContain(name);
    }
  });

  test('hold the words by which each rarely asked tool is recognised', () => {
    // The tool that shares most words with the question; the two look-up tools are distinguished by their arguments.
    const rare = questions.filter(({ tool }) => tool === 'health' || tool === 'usage');
    const wrong = rare.filter((question) => {
      const asked = wordsOf(question.ask);
      const scores = tools.map((tool) => ({
        name: tool.name,
        score: [...saidOf(tool)].filter((word) => asked.has(word)).length / Math.sqrt(saidOf(tool).size),
      }));
      return scores.sort((a, b) => b.score - a.score)[0]?.name !== question.tool;
    });
    expect(wrong.map(({ ask }) => ask)).toEqual([]);
  });
});
