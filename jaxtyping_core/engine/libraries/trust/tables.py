"""Which packages are called for real, and which of their names are not seen: data.

Whatever works on files, the network, processes, clocks or the state of the process is no computation, and is left out.
"""

from __future__ import annotations


def words(text: str) -> frozenset[str]:
    """The names in a text."""
    return frozenset(text.split())


#: Packages of Python's own that only compute.
STANDARD = words(
    """
    abc bisect cmath collections contextlib copy dataclasses enum fractions functools heapq itertools math
    numbers operator statistics string textwrap types typing typing_extensions warnings
    """
)
#: Methods of Python's numbers that are called.
OF_NUMBERS = words("as_integer_ratio bit_count bit_length conjugate is_integer")
#: Names that are not called or seen, though they are public: by the module or class that has them.
DENIED: dict[str, frozenset[str]] = {
    "jax": words(
        """
        clear_backends clear_caches collect_profile config debug debug_infs debug_nans default_device
        default_prng_impl devices distributed dlpack ensure_compile_time_eval explain_cache_misses export extend
        ffi interop lib live_arrays local_devices log_compiles make_array_from_callback
        make_array_from_process_local_data make_array_from_single_device_arrays monitoring no_execution
        numpy_rank_promotion print_environment_info process_index profiler pure_callback stages tools transfer_guard
        """
    ),
    "jax.numpy": words(
        """
        from_dlpack fromfile load loadtxt printoptions save savetxt savez set_printoptions
        """
    ),
    "jax.experimental": words(
        """
        array_serialization buffer_callback colocated_python compilation_cache export host_callback io_callback
        jax2tf mosaic multihost_utils profiler rnn roofline scheduling_groups
        serialize_executable source_mapper topologies transfer
        """
    ),
    "jax.experimental.pallas": words(
        """
        debug_check enable_debug_checks enable_poison_buffers estimate_cost lower_as_mlir pallas_call_p
        pallas_export_experimental
        """
    ),
    "jax.tree_util": words("default_registry"),
    "numpy": words(
        """
        apply_along_axis apply_over_axes array2string array_repr array_str bmat char core ctypeslib distutils emath
        f2py format_float_positional from_dlpack frombuffer fromfile fromfunction fromiter frompyfunc fromregex
        fromstring genfromtxt get_include info lib load loadtxt memmap nditer piecewise polynomial random rec
        save savetext savetxt savez savez_compressed set_printoptions set_string_function setbufsize seterr
        seterrcall show_config show_runtime strings test testing typing vectorize
        """
    ),
    "numpy.ma": words("core extras mrecords testutils"),
    "operator": words(
        """
        attrgetter call concat delitem iconcat ilshift imod imul ipow itemgetter itruediv lshift methodcaller mod
        mul pow repeat setitem
        """
    ),
    "functools": words("singledispatchmethod"),
    "itertools": words("tee"),
    "enum": words("global_enum global_enum_repr global_flag_repr global_str"),
    "abc": words("update_abstractmethods"),
    "statistics": words("NormalDist"),
    "textwrap": words("TextWrapper"),
    "types": words(
        """
        BuiltinFunctionType CellType CodeType FrameType FunctionType GetSetDescriptorType LambdaType ModuleType
        TracebackType coroutine new_class prepare_class resolve_bases
        """
    ),
    "typing": words("ForwardRef NewType clear_overloads evaluate_forward_ref get_overloads get_type_hints"),
    "typing_extensions": words(
        "ForwardRef clear_overloads evaluate_forward_ref get_annotations get_type_hints"
    ),
    "dataclasses": words("make_dataclass"),
    "collections": words("UserString"),
    "string": words("Formatter Template"),
    "contextlib": words(
        """
        AsyncExitStack ExitStack chdir closing redirect_stderr redirect_stdout
        """
    ),
    "copy": words("copyreg dispatch_table"),
    "warnings": words("formatwarning showwarning"),
    "jaxtyping_core": words(
        """
        annotating checking cli contracts evaluation installation lsp mypy programs recording settings showing
        spelling verifying
        """
    ),
}
#: Attributes of any object that lead to files, memory or frames.
CLOSED = words(
    """
    addressable_data ag_frame clear_cache cr_frame ctypes data dump dumps f_back f_builtins f_code f_globals
    f_locals format_map func_globals gi_code gi_frame lower mro on_device_size_in_bytes register_module setflags
    sow_to_file tb_frame tb_next tofile trace unsafe_buffer_pointer
    """
)
#: Modules of Python whose functions keep nothing of what they are passed, and change nothing of it.
ONLOOKERS = words(
    """
    argparse array csv datetime gc gzip inspect io json logging os pickle pprint random struct sys
    threading time timeit traceback urllib
    """
)
#: Roots under which the packages have what they make public.
WITHIN = words(
    """
    __program__ _collections _functools _operator collections contextlib functools jax jaxlib ml_dtypes numpy
    operator
    """
)
#: Builtins that are not seen as they are: they reach files, code or names that are computed.
BUILTINS_DENIED = words(
    """
    open exec eval compile input __import__ breakpoint globals locals vars getattr setattr
    delattr hasattr dir type object super memoryview exit
    """
)
#: Builtins that compute, the exceptions besides.
BUILTINS_CALLED = words(
    """
    abs all any ascii bin bool bytes callable chr classmethod complex dict divmod enumerate filter float
    format frozenset hash hex id int isinstance issubclass iter len list map max min next object oct ord pow
    print property range repr reversed round set slice sorted staticmethod str sum tuple type zip
    """
)
#: Builtins from which classes of the program may be derived.
BASES_OF_BUILTINS = words(
    """
    ArithmeticError AttributeError Exception IndexError KeyError NotImplementedError RuntimeError
    StopIteration TypeError ValueError dict float int list object str tuple
    """
)
#: Functions and methods of NumPy whose dtype and shape do not depend on the numbers in their arrays; ufuncs are others.
NUMPY_OF_SHAPES = words(
    """
    T all amax amin any append arange argmax argmin argpartition argsort array array_split asanyarray
    asarray ascontiguousarray astype atleast_1d atleast_2d average bartlett blackman block
    broadcast_arrays broadcast_to cholesky clip column_stack concatenate conj conjugate convolve copy
    copysign corrcoef correlate count_nonzero cov cross cumprod cumsum cumulative_prod cumulative_sum
    det diag diagflat diagonal diff digitize dot dsplit dstack ediff1d eigh eigvalsh einsum empty
    empty_like expand_dims eye fft fft2 fftfreq fftn fftshift flatten flip fliplr flipud floor_divide
    full full_like geomspace gradient hamming hanning hsplit hstack identity ifft ifft2 ifftn ifftshift
    imag indices inner insert interp inv irfft isclose kron lexsort linspace logspace mT matmul
    matrix_power matrix_rank matrix_transpose matvec max mean median meshgrid min moveaxis multi_dot
    nan_to_num nanargmax nanargmin nancumprod nancumsum nanmax nanmean nanmedian nanmin nanpercentile
    nanprod nanquantile nanstd nansum nanvar norm ones ones_like outer packbits pad partition percentile
    permute_dims pinv polyfit polyval prod ptp qr quantile ravel ravel_multi_index real reshape rfft
    rfftfreq roll rollaxis rot90 round searchsorted select sinc slogdet solve sort split squeeze stack
    std sum svd swapaxes take take_along_axis tensordot tile trace transpose trapezoid tri tril
    tril_indices triu triu_indices unpackbits unravel_index unwrap vander var vdot vecdot view vsplit
    vstack zeros zeros_like
    """
)
#: Methods of arrays of NumPy that compute, beside those of the same names that change the array itself.
NUMPY_METHODS = words(
    """
    all any argmax argmin argsort astype choose clip compress conj conjugate copy cumprod cumsum diagonal dot
    flatten item max mean min nonzero prod ptp ravel repeat reshape round searchsorted squeeze std sum
    swapaxes take tolist trace transpose var
    """
)
NUMPY_IN_PLACE = words("fill partition put sort")
#: ... of which the dtype may be known where an argument is not.
NUMPY_OF_ANYTHING = words(
    """
    array asarray ascontiguousarray astype ones_like zeros_like
    """
)
#: Functions and methods of NumPy that only rearrange the items of their first argument.
NUMPY_KEEPING = words(
    """
    broadcast_to copy expand_dims flatten flip moveaxis ravel repeat reshape roll rot90 sort squeeze
    swapaxes take tile transpose
    """
)
#: ... that do so if their second argument is a number, not an array of numbers.
NUMPY_OF_ONE_NUMBER = words("delete repeat")
#: ... of which the numbers alone say how long the first axis of a result is.
NUMPY_OF_ANY_LENGTH = words("argwhere bincount compress extract flatnonzero nonzero trim_zeros unique where")
#: Functions of NumPy that change their first argument.
NUMPY_CHANGING = words("copyto fill_diagonal place put put_along_axis putmask shuffle")
#: Functions of NumPy that make as many items as a number says.
NUMPY_OF_NUMBERS = words(
    """
    arange empty eye full geomspace identity indices linspace logspace ones repeat resize tile tri zeros
    """
)
#: ... or as there are steps between two numbers: those that are tried are the same ones.
NUMPY_OF_DIFFERENCES = words("arange")
#: Attributes of two underscores that programs read, and that lead nowhere.
#: Names by which a program changes what a library has, if it is not the program's own.
CHANGING = words(
    """
    def_vmap defjvp defjvps defvjp defvjps defpartial register
    """
)
DUNDERS = words(
    """
    __add__ __annotations__ __call__ __class__ __contains__ __dataclass_fields__ __doc__ __enter__ __eq__
    __exit__ __getattr__ __getitem__ __hash__ __init__ __init_subclass__ __iter__ __len__ __match_args__
    __matmul__ __mul__ __name__ __neg__ __next__ __post_init__ __qualname__ __repr__ __setattr__ __setitem__
    __setup__ __str__ __sub__ __version__ __wrapped__
    """
)
#: Functions of `math` that give numbers.
MATH = words(
    """
    acos asin atan atan2 ceil comb copysign cos cosh degrees erf erfc exp expm1 fabs factorial floor fmod
    gamma gcd hypot isclose isfinite isinf isnan isqrt lcm lgamma log log10 log1p log2 perm pow radians sin
    sinh sqrt tan tanh trunc
    """
)
#: Functions of `numpy.random` that draw, those of its older and of its newer generators.
DRAWN = words(
    """
    beta binomial chisquare choice dirichlet exponential gamma geometric gumbel laplace logistic lognormal
    multinomial multivariate_normal normal permutation poisson random standard_gamma standard_normal
    standard_t uniform
    """
)
LEGACY = DRAWN | words("rand randint randn random_integers random_sample ranf sample")
MODERN = DRAWN | words("integers permuted")
