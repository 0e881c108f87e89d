export {
  type BuiltInAttribute,
  type BuiltInDefinitions,
  type BuiltInKind,
  type BuiltInName,
  builtInAttributes,
  builtInDefinitions,
  builtInFlagPrefixes,
} from './attributes.ts'
export { type BuiltInOptions, builtIn } from './built-in.ts'
export {
  type EverythingQuestion,
  type KnownSlot,
  type Question,
  type QuestionContext,
  type ValueQuestion,
  readQuestion,
} from './question.ts'
